/** What a line of OpenAI's costs is for, after the model: `gpt-4.1-2025-04-14, cached input`. */
const part = /^(.+), [a-z0-9 _-]+$/i;

/** The model of a line item of OpenAI's costs; the line item itself where it names none (`assistants api | file search`). */
export const modelOfLineItem = (item: string): string => part.exec(item.trim())?.[1] ?? item.trim();
