/** Holds the place of a text that is on its way. */
export const Skeleton = ({ className = 'w-24' }: { readonly className?: string }) => (
  <span
    aria-hidden="true"
    className={`inline-block h-3.5 animate-pulse rounded-full bg-off-bg align-middle ${className}`}
  />
);
