import { stringifySearch } from '../../lib/lists/search-params.ts';

/** Where root sets the price of a model. */
export const priceSetting = (model: string): string => `/setting${stringifySearch({ tab: 'operation', price: model })}`;
