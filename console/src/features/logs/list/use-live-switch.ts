import { useEffect, useState } from 'react';
import { shortcuts } from '../../../lib/browser/shortcut-switch.ts';
import { useLatest } from '../../../lib/hooks/use-latest.ts';

/** `stopped`: it was on, and the page had no input for ten minutes. */
export type LiveState = 'off' | 'on' | 'stopped';

const idleMs = 600_000;
const signs = ['pointerdown', 'keydown', 'wheel'] as const;
const typing = 'input,textarea,select,[contenteditable],[role=menu],[role=alertdialog]';

const isShortcut = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  key === 'l' &&
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  shortcuts.get() &&
  !(target instanceof Element && target.closest(typing));

/** The live view's switch: the button, the key `l`, and the stop after ten minutes without input. */
export const useLiveSwitch = () => {
  const [state, setState] = useState<LiveState>('off');
  const flip = (): void => setState(state === 'on' ? 'off' : 'on');
  const latest = useLatest(flip);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isShortcut(event)) latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [latest]);
  useEffect(() => {
    if (state !== 'on') return;
    let timer = setTimeout(setState, idleMs, 'stopped');
    const renew = (): void => {
      clearTimeout(timer);
      timer = setTimeout(setState, idleMs, 'stopped');
    };
    for (const sign of signs) document.addEventListener(sign, renew, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of signs) document.removeEventListener(sign, renew);
    };
  }, [state]);
  return { state, flip };
};
