import { expect, test } from 'vitest'
import { pluginFileContract } from '../plugin-file.contract.ts'
import { installer } from './install.ts'

pluginFileContract(installer, '2.9.0')

test('a plugin that the user has switched off is noticed', () => {
  const file = '/home/dev/.cline/data/settings/global-settings.json'
  const where = { project: '/srv/project', home: '/home/dev', env: {} }
  const look = (text: string) =>
    installer.switches?.({ where, read: (path) => (path === file ? text : undefined) })
  const disabled = (...paths: string[]) => JSON.stringify({ disabledPlugins: paths })
  expect(look(disabled('/home/dev/.cline/plugins/holdpoint.js'))).toEqual([expect.stringContaining(file)])
  for (const text of ['', '{', '[]', '{}', disabled('/home/dev/.cline/plugins/other.js')])
    expect(look(text)).toEqual([])
  expect(installer.governing?.(where)).toEqual([file])
})
