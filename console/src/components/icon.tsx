import sprite from './icons.svg?no-inline';

export type IconName =
  | 'home'
  | 'channel'
  | 'key'
  | 'ticket'
  | 'wallet'
  | 'users'
  | 'user'
  | 'log'
  | 'settings'
  | 'info'
  | 'chat'
  | 'menu'
  | 'more'
  | 'close'
  | 'check'
  | 'copy'
  | 'search'
  | 'plus'
  | 'down'
  | 'left'
  | 'right'
  | 'up-down'
  | 'arrow-up'
  | 'arrow-down'
  | 'refresh'
  | 'download'
  | 'columns'
  | 'chart'
  | 'file'
  | 'filter'
  | 'edit'
  | 'trash'
  | 'play'
  | 'sun'
  | 'moon'
  | 'device'
  | 'globe'
  | 'sign-out'
  | 'alert'
  | 'eye'
  | 'eye-off'
  | 'external'
  | 'calendar'
  | 'pause'
  | 'gift'
  | 'link'
  | 'star'
  | 'tag'
  | 'flask';

interface IconProps {
  readonly name: IconName;
  readonly className?: string;
}

/** An icon from the sprite, 16 px by default; always beside or inside an element with an accessible name. */
export const Icon = ({ name, className = 'size-4' }: IconProps) => (
  <svg className={`icon ${className}`} aria-hidden="true" focusable="false">
    <use href={`${sprite}#${name}`} />
  </svg>
);
