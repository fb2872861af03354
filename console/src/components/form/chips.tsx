interface ChipsProps {
  readonly label: string;
  readonly choices: readonly { readonly text: string; readonly pressed?: boolean; readonly pick: () => void }[];
  readonly disabled?: boolean;
}

/** Quick values for the field above. */
export const Chips = ({ label, choices, disabled = false }: ChipsProps) => (
  <div role="group" aria-label={label} className="flex flex-wrap gap-1.5">
    {choices.map(({ text, pressed, pick }) => (
      <button
        key={text}
        type="button"
        disabled={disabled}
        aria-pressed={pressed}
        className="h-7 rounded-full border border-line px-2.5 text-13 text-mute hover:border-control hover:text-ink aria-pressed:border-brand aria-pressed:text-brand disabled:opacity-55 pointer-coarse:h-10 pointer-coarse:px-3.5"
        onClick={pick}
      >
        {text}
      </button>
    ))}
  </div>
);
