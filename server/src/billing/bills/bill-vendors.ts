import type { BillFormat } from '@weir/contract/bills/bills';
import { vendors } from '@weir/contract/catalogue/vendors';

const openAi: ReadonlySet<BillFormat> = new Set<BillFormat>(['openai_usage', 'openai_cost', 'openai_fetched']);

/** The channel type whose vendor makes reports of a format; 0: anyone may. */
export const vendorOfFormat = (format: BillFormat): number => {
  if (format === 'table') return 0;
  return openAi.has(format) ? vendors.openai.id : vendors.anthropic.id;
};
