import { ownFileContract } from '../own-file.contract.ts'
import { installer } from './install.ts'

ownFileContract(installer, '0.9.9')
