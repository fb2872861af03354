/** Placeholder of a text that is loading. */
export const Skeleton = ({ className = 'w-24' }: { readonly className?: string }) => (
  <span
    aria-hidden="true"
    className={`inline-block h-3.5 animate-pulse rounded-full bg-off-bg align-middle ${className}`}
  />
);
