import { posix } from 'node:path'
import { HoldpointError } from '../../core/errors.ts'
import { suggest } from '../../core/suggest.ts'
import { visible } from '../visible.ts'
import type { Page } from './pages.ts'

/**
 * Finds the page for what the user types: `rules`, `Rules`, `rules.md`, `guide/rules` or
 * `docs/guide/rules.md`.
 */
export function findPage(pages: readonly Page[], topic: string): Page | undefined {
  const name = normal(topic)
  return pages.find((page) => page.topic === name) ?? pages.find((page) => normal(page.path) === name)
}

/** The guards below a name that is not a page: `safety/git`. */
export function guardsBelow(pages: readonly Page[], topic: string): readonly Page[] {
  const folder = `${normal(topic).replace(/\/+$/, '')}/`
  return pages.filter((page) => page.topic.startsWith(folder))
}

export function unknownTopic(pages: readonly Page[], topic: string): HoldpointError {
  const near = nearTopics(pages, normal(topic)).map((each) => `\`holdpoint docs ${each}\``)
  const meant = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
  return new HoldpointError({
    code: 'TOPIC_UNKNOWN',
    message: `There is no documentation page "${visible(topic, 80)}".${meant}`,
  })
}

const NEAR_MAX = 3

/** People often use only the last part of a guard's id: `force-push`. */
function nearTopics(pages: readonly Page[], name: string): readonly string[] {
  const topics = pages.map((page) => page.topic)
  const near = suggest(name, topics)
  if (near !== undefined) return [near]
  const last = suggest(
    name,
    topics.map((topic) => posix.basename(topic)),
  )
  return topics.filter((topic) => posix.basename(topic) === last).slice(0, NEAR_MAX)
}

function normal(topic: string): string {
  return topic
    .trim()
    .toLowerCase()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
}
