import { optionTable } from '../../arguments/options.ts'
import { isGiven, type VerbProgram } from '../../arguments/verbs.ts'
import { FLUSH } from './acts.ts'

const OPTIONS = optionTable(`
  bootstrap-server= zookeeper= topic= command-config= n|node= p|vhost= q|quiet s|server= H|host= P|port=
  u|username= creds= context= delete help f|force
`)
const KAFKA: VerbProgram = {
  options: OPTIONS,
  rules: [{ verbs: '', act: FLUSH, when: ({ read }) => isGiven(read, 'delete') }],
}

/** Queues of messages: what is deleted there nobody will receive. */
export const QUEUES: ReadonlyMap<string, VerbProgram> = new Map([
  ['kafka-topics.sh', KAFKA],
  ['kafka-topics', KAFKA],
  [
    'rabbitmqctl',
    {
      options: OPTIONS,
      rules: [{ verbs: 'delete_queue|purge_queue|delete_vhost|reset|force_reset', act: FLUSH }],
    },
  ],
  [
    'rabbitmqadmin',
    { options: OPTIONS, rules: [{ verbs: 'delete|purge queue|exchange|vhost', act: FLUSH }] },
  ],
  [
    'nats',
    {
      options: OPTIONS,
      rules: [{ verbs: 'stream|str|s|kv|object rm|purge|del|delete|destroy', act: FLUSH }],
    },
  ],
])
