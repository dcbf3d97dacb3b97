import fc from 'fast-check'
import { runs } from './property-runs.ts'

// Properties look at new cases each time, unless FC_SEED asks for the same ones: a change is judged by what it changes.
const { FC_SEED } = process.env
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: runs(100),
  ...(FC_SEED !== undefined && { seed: Number(FC_SEED) }),
})
