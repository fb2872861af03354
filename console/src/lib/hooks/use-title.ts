import { useEffect } from 'react';
import { systemName, useStatus } from '../api/status.ts';

/** Sets the document title to "Page · System name". */
export const useTitle = (page: string): void => {
  const name = systemName(useStatus());
  useEffect(() => {
    document.title = page ? `${page} · ${name}` : name;
  }, [page, name]);
};
