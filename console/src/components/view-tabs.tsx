interface ViewTabsProps<Id extends string> {
  readonly label: string;
  readonly views: readonly (readonly [id: Id, text: string])[];
  readonly current: Id;
  readonly onPick: (id: Id) => void;
  readonly className?: string;
}

/** Predefined filters of a list; each has its own address. */
export const ViewTabs = <Id extends string>({ label, views, current, onPick, className = '' }: ViewTabsProps<Id>) => (
  <div
    role="group"
    aria-label={label}
    className={`flex flex-wrap rounded-control border border-line bg-raised p-0.5 ${className}`}
  >
    {views.map(([id, text]) => (
      <button
        key={id}
        type="button"
        aria-pressed={id === current}
        className="h-7 rounded-[4px] px-2.5 text-13 whitespace-nowrap text-mute hover:text-ink aria-pressed:bg-panel aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--line)] pointer-coarse:h-10"
        onClick={() => onPick(id)}
      >
        {text}
      </button>
    ))}
  </div>
);
