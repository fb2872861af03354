import { Skeleton } from '../skeleton.tsx';

/** Placeholder of a form that is loading, at about its final height. */
export const FormSkeleton = ({ fields }: { readonly fields: number }) => (
  <div aria-busy="true" className="flex flex-col gap-6">
    {Array.from({ length: fields }, (_, index) => (
      <div key={index} className="flex flex-col gap-2.5">
        <Skeleton className="w-24" />
        <Skeleton className="h-8 w-full rounded-control" />
      </div>
    ))}
  </div>
);
