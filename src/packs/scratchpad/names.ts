/** Said to the person when an agent is let go because nobody could say where its entry would be. */
export function unusableName(agentType: string): string {
  const name = JSON.stringify(agentType.slice(0, 80))
  return `The scratchpad of ${name} is not asked for: no folder can be named so.`
}
