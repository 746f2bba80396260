import { pluginFileContract } from '../plugin-file.contract.ts'
import { installer } from './install.ts'

pluginFileContract(installer, '0.40.0')
