const isApple = /mac|iphone|ipad/i.test(globalThis.navigator?.userAgent ?? '');

/** The names of the modifier keys on this machine. */
export const commandKey = isApple ? '⌘' : 'Ctrl+';
export const shiftKey = isApple ? '⇧' : 'Shift+';
