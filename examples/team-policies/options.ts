/** The options of the pack: checked when a configuration is read, typed in every guard. */
export const OPTIONS = {
  targets: {
    type: 'array',
    items: { type: 'string' },
    default: ['production'],
    description: 'Where only a person may deploy.',
  },
  branches: {
    type: 'array',
    items: { type: 'string' },
    default: ['main'],
    description: 'Branches that only a pull request may change.',
  },
} as const
