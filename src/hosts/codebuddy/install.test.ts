import { installerContract } from '../installer.contract.ts'
import { installer } from './install.ts'

installerContract({ installer, version: '2.117.0', tooOld: '2.99.0' })
