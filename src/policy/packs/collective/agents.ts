import { wordList } from '../../../core/word-list.ts'

/** The agents of the collective. */
export const REGISTRY = wordList(`
  routing-agent drupal-architect module-development-agent theme-development-agent
  configuration-management-agent content-migration-agent security-compliance-agent performance-devops-agent
  functional-testing-agent unit-testing-agent visual-regression-agent enhanced-project-manager-agent
  research-agent workflow-agent semantic-architect-agent
`)

/** Agents that do not belong to a project: agents that phases are routed to, and agents that come with hosts. */
export const SYSTEM = wordList(`
  tdd-validation-agent task-orchestrator general-purpose Explore Plan statusline-setup output-style-setup
  claude-code-guide default
`)

/** `plugin:name` is treated as `name`. Agents named `mock-…` are used in tests. */
export function isKnownAgent(name: string, more: readonly string[]): boolean {
  const bare = name.slice(name.lastIndexOf(':') + 1)
  if (bare.startsWith('mock-')) return true
  return [...REGISTRY, ...SYSTEM, ...more].some((known) => known.toLowerCase() === bare.toLowerCase())
}

/** Agents that write code, so the documentation may need an update afterwards. */
export function isDeveloper(name: string): boolean {
  return /develop|implement|architect|migration|configuration/i.test(name)
}
