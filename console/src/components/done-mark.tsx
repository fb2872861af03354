import { Icon } from './icon.tsx';

interface DoneMarkProps {
  readonly title: string;
  readonly text: string;
}

/** Success message on the form. */
export const DoneMark = ({ title, text }: DoneMarkProps) => (
  <div className="flex items-center gap-3">
    <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-ok-bg text-ok">
      <Icon name="check" className="size-5" />
    </span>
    <div>
      <p className="font-semibold">{title}</p>
      <p className="text-13 text-mute">{text}</p>
    </div>
  </div>
);
