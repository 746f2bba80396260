import { relative } from 'node:path'
import { INSTALLERS } from '../../../src/hosts/installers.ts'

/** The file of an agent's hooks, relative to the home. */
export async function hookFileOf(id: string): Promise<string> {
  const home = '/home/dev'
  const installer = (await INSTALLERS[id]?.())?.installer
  return relative(home, installer?.file('user', { project: '/srv', home, env: {} }) ?? '')
}
