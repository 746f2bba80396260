/** A list of texts, none of them empty. */
export const TEXTS = {
  type: 'array',
  items: { type: 'string', pattern: '\\S' },
  title: 'a list of strings',
} as const
