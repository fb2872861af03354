import { useState } from 'react';
import { readPreference, writePreference } from '../../lib/storage.ts';
import { usePhone } from '../../lib/use-media.ts';

/** Whether the chart is on screen: as this browser left it, at first where there is room for it. */
export const useHistogramSwitch = () => {
  const phone = usePhone();
  const [stored, setStored] = useState(() => readPreference('log-chart'));
  const shown = typeof stored === 'boolean' ? stored : !phone;
  const flip = (): void => {
    writePreference('log-chart', !shown);
    setStored(!shown);
  };
  return { shown, flip };
};
