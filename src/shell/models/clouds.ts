import { wordList } from '../../core/word-list.ts'
import { awsEffects } from './clouds/aws.ts'
import { CASES } from './clouds/cases.ts'
import { platformEffects } from './clouds/platforms.ts'
import type { Model, ModelCases } from './model.ts'

/** Cloud accounts and hosting platforms, through the programs that manage them. */
export const clouds: Model = {
  programs: wordList(`
    aws gcloud gsutil bq az doctl fly flyctl heroku vercel netlify netlify-cli firebase-tools wrangler
    firebase supabase railway linode-cli hcloud vultr-cli scw ibmcloud oci openstack aliyun eksctl kops eb cf
    s3cmd s5cmd mc b2 pscale turso neonctl atlas auth0 stripe dokku vault render koyeb civo juju
  `),
  effects: ({ name, command }) => (name === 'aws' ? awsEffects(command) : platformEffects(name, command)),
}

export const cases: ModelCases = CASES
