import { useState } from 'react';

interface Loading<Row> {
  readonly data: Row | undefined;
  readonly isFetchedAfterMount: boolean;
}

/** The row that a form opens with, as the server has it: not an older copy from the cache, nor a later one. */
export const useOpened = <Row>({ data, isFetchedAfterMount }: Loading<Row>): Row | undefined => {
  const [opened, setOpened] = useState<Row>();
  if (opened === undefined && data !== undefined && isFetchedAfterMount) setOpened(data);
  return opened;
};
