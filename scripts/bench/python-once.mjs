// One call of a Python hook in a program that ends then: no worker is started for it. Prints milliseconds.
import { managerIn, timed } from './python.mjs'

const [folder = ''] = process.argv.slice(2)
const { ms, isCold } = await timed(await managerIn(folder))
process.stdout.write(isCold ? `${ms}` : '')
process.exit(0)
