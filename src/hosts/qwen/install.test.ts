import { installerContract } from '../installer.contract.ts'
import { installer } from './install.ts'

installerContract({ installer, version: '0.24.4', tooOld: '0.23.9' })
