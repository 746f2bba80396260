import { constantFor, isId, textOf, titleFor } from './names.mjs'

export const PACKS = 'src/policy/packs'

/**
 * The files of a new guard, as texts by their paths; or the problem.
 *
 * @example
 * newGuard(['production/delete-records'], repository)
 * // { files: { 'src/policy/packs/production/delete-records.ts': …, … }, next: […] }
 * @type {import('./kinds.mjs').NewSkeleton}
 */
export function newGuard([id = ''], repository) {
  const { read, list } = repository
  const packs = list(PACKS).filter((name) => read(`${PACKS}/${name}/pack.ts`) !== undefined)
  const [pack = '', ...parts] = id.split('/')
  const name = parts.at(-1) ?? ''
  if (!packs.includes(pack) || parts.length > 2 || !parts.every(isId) || name === '' || name === 'pack') {
    return {
      problem: `Name a pack and a guard: npm run new guard <pack>/<name> or <pack>/<area>/<name>\nPacks: ${packs.join(', ')}`,
    }
  }
  const path = `${PACKS}/${id}.ts`
  const table = textOf(repository, `${PACKS}/${pack}/pack.ts`)
  const constant = constantFor(name, 'guard')
  if (read(path) !== undefined) return { problem: `${id} is a guard already: ${path}. Change it there.` }
  if (new RegExp(`\\b${constant}\\b`).test(table)) {
    return { problem: `${PACKS}/${pack}/pack.ts has a \`${constant}\` already. Choose another name.` }
  }
  const up = '../'.repeat(parts.length + 2)
  const imported = `import { ${constant} } from './${parts.join('/')}.ts'\n${table}`
  return {
    files: {
      [path]: guardText(id, constant, up),
      [`${PACKS}/${pack}/pack.ts`]: imported.replace(/guards: \[/, `guards: [${constant}, `),
    },
    next: [
      `1. Write in ${path} what it stops, why, and what to do instead; the examples first.`,
      '   A guard of shell commands names acts: copy src/policy/packs/safety/git/force-push.ts instead.',
      `2. Run: npm test -- ${id}`,
      '3. Run: npm run generate, and commit docs/guards and schema.',
    ],
  }
}

/**
 * A guard of one tool: nothing that an agent does is that tool, until its author changes the name.
 * @param {string} id
 * @param {string} constant
 * @param {string} up from the file to src/
 */
export function guardText(id, constant, up) {
  const name = id.slice(id.lastIndexOf('/') + 1)
  const tool = `mcp__example__${name.replaceAll('-', '_')}`
  /** @param {string} input */
  const call = (input) => `{ tool: '${tool}', input: ${input} },`
  /** @param {string} input */
  const other = (input) => `{ tool: '${tool}_preview', input: ${input} },`
  /** @param {(input: string) => string} line */
  const inputs = (line) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `      ${line(`{ id: ${number} }`)}`).join('\n')
  return `import { toolOf } from '${up}core/event.ts'
import type { Guard } from '${up}core/guard.ts'

export const ${constant}: Guard = {
  id: '${id}',
  title: '${titleFor(name)}',
  why: 'Say here why an agent should not do this.',
  instead: 'say here what to do instead.',
  on: ['PreToolUse'],
  match: '${tool}',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
${inputs(call)}
    ],
    passes: [
${inputs(other)}
    ],
  },
  check({ event }) {
    const tool = toolOf(event)
    return tool?.name === '${tool}' ? { caught: 'says here what would happen' } : null
  },
}
`
}
