import { pluginFileContract } from '../plugin-file.contract.ts'
import { installer } from './install.ts'

pluginFileContract(installer, '2.9.0')
