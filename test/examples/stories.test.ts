import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Every example, played with the built package: it prints what its README shows. */
const examples = join(import.meta.dirname, '..', '..', 'examples')
const run = (name: string, file = 'main.mjs') =>
  execFileSync(process.execPath, [join(examples, name, file)], { encoding: 'utf8' })

describe('K-41: the examples', () => {
  it.each(readdirSync(examples))('%s prints what its page shows', (name) => {
    const page = readFileSync(join(examples, name, 'README.md'), 'utf8')
    const shown = /```text\n([\s\S]*?)```/.exec(page)?.[1]
    const [, file] = new RegExp(`node examples/${name}/(\\S+)`).exec(page) ?? []
    expect(run(name, file)).toBe(shown)
  })
})
