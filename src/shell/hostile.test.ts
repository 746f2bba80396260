import { describe, expect, it } from 'vitest'
import { analyze } from './commands.ts'

/** Built-in code is bounded by counted steps: what would take for ever is given up, and the rest is still read. */
describe('a command made to be slow', () => {
  const place = { cwd: '/srv/app', home: '/home/dev' }
  const many = (count: number, text: string) => Array(count).fill(text).join('')
  it.each<[string, string]>([
    ['a split variable, over and over', `rm -rf / ; x='${many(1500, 'a ')}'; echo ${many(1500, '$x')}`],
    ['five defaults and thousands of quotes', `rm -rf / ; echo ${many(5, '${a0:-x}')}${many(14_000, '""')}`],
    ['thousands of empty quotes', `rm -rf / ; echo ${many(14_000, '""')}`],
    ['thousands of braces', `rm -rf / ; echo ${many(2_500, '{a,b}')}`],
    ['thousands of assignments', `rm -rf / ; ${many(3_000, 'a=$a$a;')} echo $a`],
    ['thousands of nested quotes', `rm -rf / ; echo ${many(3_000, '"\'"')}`],
  ])('%s is read in time, or given up', (_name, command) => {
    const read = analyze(command, place)
    if (read.judged) expect(read.commands.some((each) => each.name === 'rm')).toBe(true)
    else expect(read.why).toMatch(/\S/)
  })
})
