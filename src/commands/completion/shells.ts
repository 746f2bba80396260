/** The shells that have a completion script. */
export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish'] as const

export type CompletionShell = (typeof COMPLETION_SHELLS)[number]
