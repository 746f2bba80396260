/** The agents of the collective. */
export const REGISTRY: readonly string[] = [
  'routing-agent',
  'drupal-architect',
  'module-development-agent',
  'theme-development-agent',
  'configuration-management-agent',
  'content-migration-agent',
  'security-compliance-agent',
  'performance-devops-agent',
  'functional-testing-agent',
  'unit-testing-agent',
  'visual-regression-agent',
  'enhanced-project-manager-agent',
  'research-agent',
  'workflow-agent',
  'semantic-architect-agent',
]

/** Agents that belong to no project: those that phases are routed to, and those that hosts bring along. */
export const SYSTEM: readonly string[] = [
  'tdd-validation-agent',
  'task-orchestrator',
  'general-purpose',
  'Explore',
  'Plan',
  'statusline-setup',
  'output-style-setup',
  'claude-code-guide',
  'default',
]

/** `plugin:name` is known as `name`; agents called `mock-…` are somebody's tests. */
export function isKnownAgent(name: string, more: readonly string[]): boolean {
  const bare = name.slice(name.lastIndexOf(':') + 1)
  if (bare.startsWith('mock-')) return true
  return [...REGISTRY, ...SYSTEM, ...more].some((known) => known.toLowerCase() === bare.toLowerCase())
}

/** Agents whose work is code, so that its documentation may have to follow. */
export function isDeveloper(name: string): boolean {
  return /develop|implement|architect|migration|configuration/i.test(name)
}
