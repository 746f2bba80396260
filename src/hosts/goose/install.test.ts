import { ownFileContract } from '../own-file.contract.ts'
import { installer } from './install.ts'

ownFileContract(installer, '1.34.0')
