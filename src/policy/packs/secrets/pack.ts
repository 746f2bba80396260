import type { Pack } from '../../../core/guard.ts'
import { credentialFile } from './credential-file.ts'
import { readEnvFile } from './env-file/read.ts'
import { writeEnvFile } from './env-file/write.ts'
import { environmentDump } from './environment.ts'
import { secretInOutput } from './in-output.ts'
import { secretInPrompt } from './in-prompt.ts'
import { likelyFile } from './likely-file.ts'
import { printCredential } from './print-credential.ts'
import { privateKey } from './private-key.ts'
import { secretVariable } from './secret-variable.ts'
import { settingsWithSecrets } from './settings-file.ts'
import { writtenScript } from './written-script.ts'

export const pack: Pack = {
  id: 'secrets',
  title: 'Secrets the agent must not see',
  options: {},
  wrongOptions: 'use defaults',
  guards: [
    readEnvFile,
    writeEnvFile,
    privateKey,
    credentialFile,
    settingsWithSecrets,
    likelyFile,
    printCredential,
    secretVariable,
    environmentDump,
    secretInOutput,
    secretInPrompt,
    writtenScript,
  ],
}
