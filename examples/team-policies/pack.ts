import { definePack } from 'holdpoint'
import { deploy } from './deploy.ts'
import { OPTIONS } from './options.ts'
import { pushToMain } from './push-to-main.ts'

export const pack = definePack({
  id: 'acme',
  title: 'What agents may do at Acme',
  options: OPTIONS,
  guards: [deploy, pushToMain],
})
