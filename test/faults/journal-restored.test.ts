import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { bash, type Installation, it } from './installation.ts'

/** A journal folder that was restored from a copy has every record once, and its hash chain is intact. */
const ids = async (installation: Installation) =>
  (await installation.command('log', '--json')).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id as string)

describe.concurrent('a journal folder that is restored', () => {
  it.for(['the whole folder', 'the database alone', 'the spool alone'])(
    'has every record once: %s',
    async (what, { installation }) => {
      const copy = join(installation.folder, 'copy')
      for (const command of ['ls', 'pwd']) await installation.call(bash(command))
      const before = await ids(installation)
      expect(before).toHaveLength(2)
      cpSync(installation.home.journal, copy, { recursive: true })
      await installation.call(bash('date'))
      await ids(installation)
      await installation.command('daemon', 'stop')
      if (what === 'the whole folder') rmSync(installation.home.journal, { recursive: true })
      const wanted = (path: string) =>
        what === 'the whole folder' ||
        path === copy ||
        path.includes('spool') === (what === 'the spool alone')
      cpSync(copy, installation.home.journal, { recursive: true, filter: wanted })
      await installation.call(bash('id'))
      const after = await ids(installation)
      expect(new Set(after).size).toBe(after.length)
      expect(after).toEqual(expect.arrayContaining([...before]))
      expect(await ids(installation)).toEqual(after)
    },
  )
})
