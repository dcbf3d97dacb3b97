import fc from 'fast-check'

// Properties look at new cases each time, unless FC_SEED asks for the same ones: a change is judged by what it changes.
const { FC_SEED } = process.env
if (FC_SEED !== undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FC_SEED) })
