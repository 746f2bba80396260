/** Whether these words after `holdpoint` are one event to decide, not a question how to do that. */
export function isHookCall(words: readonly string[]): boolean {
  return words[0] === 'hook' && !words.includes('--help') && !words.includes('-h')
}
