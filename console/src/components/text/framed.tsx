interface FramedProps {
  readonly address: string;
  readonly title: string;
  /** Height and position; absent: the whole page. */
  readonly className?: string;
}

/** Another site may keep its own storage; a page of this origin must not reach the session of the visitor. */
const permissionsOf = (address: string): string => {
  const foreign = URL.canParse(address) && new URL(address).origin !== location.origin;
  return `allow-scripts allow-forms allow-popups${foreign ? ' allow-same-origin' : ''}`;
};

/** Another site as the content of this page; fills the height between bar and footer. */
export const Framed = ({ address, title, className = '-mt-6 min-h-[calc(100dvh-120px)]' }: FramedProps) => (
  <iframe
    src={address}
    title={title}
    sandbox={permissionsOf(address)}
    referrerPolicy="no-referrer"
    className={`-mx-6 flex-1 border-0 max-md:-mx-4 ${className}`}
  />
);
