import type { ComponentProps } from 'react';
import { controlClass } from './input.tsx';

export const Textarea = ({ className = '', ...rest }: ComponentProps<'textarea'>) => (
  <textarea {...rest} className={`${controlClass} min-h-24 py-1.5 pointer-coarse:text-16 ${className}`} />
);
