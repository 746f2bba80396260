import { describe, expect, it } from 'vitest'
import { claudeSwitches } from './install-switches.ts'

const where = { project: '/srv/app', home: '/home/dev', env: {} }
const look = (files: Readonly<Record<string, string>>) =>
  claudeSwitches({ where, read: (path) => files[path] })
const state = (trusted: unknown) =>
  JSON.stringify({ projects: { '/srv/app': { hasTrustDialogAccepted: trusted } } })

describe('what keeps hooks from running', () => {
  it.each<[string, Record<string, string>, RegExp | undefined]>([
    ['nothing is known', {}, undefined],
    ['a trusted folder', { '/home/dev/.claude.json': state(true) }, undefined],
    ['a folder nobody trusted', { '/home/dev/.claude.json': state(false) }, /trust \/srv\/app/],
    ['a folder it never saw', { '/home/dev/.claude.json': '{"projects":{}}' }, /trust \/srv\/app/],
    ['a state that cannot be read', { '/home/dev/.claude.json': 'garbage' }, undefined],
    [
      'managed hooks only',
      { '/etc/claude-code/managed-settings.json': '{"allowManagedHooksOnly":true}' },
      /managed-settings.*allowManagedHooksOnly/,
    ],
    [
      'hooks off by policy',
      { '/etc/claude-code/managed-settings.json': '{"disableAllHooks":true}' },
      /disableAllHooks/,
    ],
  ])('%s', (_name, files, told) => {
    const warnings = look(files).join('\n')
    if (told === undefined) expect(warnings).toBe('')
    else expect(warnings).toMatch(told)
  })
})
