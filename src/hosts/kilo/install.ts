import { openCodePlugin } from '../opencode-plugin.ts'
import { KILO } from './dialect.ts'

/** A file of our own in the folder of the user's plugins, which needs no trust in the project. */
export const installer = openCodePlugin(KILO, {
  program: 'kilo',
  oldest: '7.0.0',
})
