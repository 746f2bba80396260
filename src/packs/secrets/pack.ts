import type { Pack } from '../guard.ts'
import { readEnvFile } from './env-file/read.ts'
import { writeEnvFile } from './env-file/write.ts'
import { privateKey } from './private-key.ts'

export const pack: Pack = {
  id: 'secrets',
  title: 'Secrets the agent must not see',
  guards: [readEnvFile, writeEnvFile, privateKey],
}
