import { join } from 'node:path'
import {
  API,
  type Checker,
  type Symbol as Declared,
  SignatureKind,
  SymbolFlags,
} from 'typescript/unstable/sync'
import { ROOT } from './run-command.ts'

/** What the library exports by one name, as its source documents it. */
export interface PublicName {
  name: string
  /** Whether it is a type alone, without a value. */
  isType: boolean
  /** The file that declares it, below `src/`. */
  file: string
  /** Its description, without tags; empty without a docstring. */
  description: string
  /** The texts of its tags, by name: of @param the name of the parameter and the text. */
  tags: Partial<Record<'param' | 'returns' | 'throws' | 'example', string[]>>
  /** One for each way of calling a function; none for anything else. */
  signatures: { parameters: string[]; types: string[]; returns: string }[]
  /** The members of a type that `src/` declares, each with its description. */
  members: { name: string; description: string }[]
}

let known: PublicName[] | undefined

/** All that `src/index.ts` exports. The compiler is asked once, which takes about a second of processor time. */
export function publicNames(): readonly PublicName[] {
  known ??= askCompiler()
  return known
}

function askCompiler(): PublicName[] {
  // The interface may change with the version of TypeScript, which package.json states exactly.
  const api = new API({ cwd: ROOT })
  try {
    const config = join(ROOT, 'src/tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    const index = project?.program.getSourceFile(join(ROOT, 'src/index.ts'))
    const module = index && project?.checker.getSymbolAtLocation(index)
    if (!project || !module) throw new Error('the compiler does not find src/index.ts')
    return project.checker.getExportsOfModule(module).map((symbol) => {
      const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0
      const declared = isAlias ? project.checker.getAliasedSymbol(symbol) : symbol
      return describe(symbol.name, declared, project.checker)
    })
  } finally {
    api.close()
  }
}

function describe(name: string, symbol: Declared, checker: Checker): PublicName {
  const tags: PublicName['tags'] = {}
  for (const { name, text } of symbol.getJsDocTags(checker)) {
    const known = tags[name as keyof typeof tags] ?? []
    tags[name as keyof typeof tags] = [...known, text ?? '']
  }
  const isFunction = (symbol.flags & SymbolFlags.Function) !== 0
  const type = isFunction ? checker.getTypeOfSymbol(symbol) : undefined
  const signatures = type ? checker.getSignaturesOfType(type, SignatureKind.Call) : []
  return {
    name,
    tags,
    file: fileOf(symbol) ?? '',
    isType: (symbol.flags & SymbolFlags.Value) === 0,
    description: symbol.getDocumentationComment(checker),
    signatures: signatures.map((signature) => {
      const returns = checker.getReturnTypeOfSignature(signature)
      return {
        parameters: signature.getParameters().map((parameter) => parameter.name),
        types: signature.getParameters().map((parameter) => {
          const type = checker.getTypeOfSymbol(parameter)
          return type ? checker.typeToString(type) : ''
        }),
        returns: returns ? checker.typeToString(returns) : 'void',
      }
    }),
    members: membersOf(symbol, checker),
  }
}

function membersOf(symbol: Declared, checker: Checker): PublicName['members'] {
  const TYPES = SymbolFlags.Interface | SymbolFlags.TypeAlias | SymbolFlags.Class
  if ((symbol.flags & TYPES) === 0) return []
  const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
  // The members of records are described by the definition of their kind.
  const isOurs = (file: string | undefined) => file && !/^records\/kinds\/(?!kind\.ts)/.test(file)
  return members
    .filter((member) => isOurs(fileOf(member)))
    .map((member) => ({ name: member.name, description: member.getDocumentationComment(checker) }))
}

/** The file below `src/` that declares it; undefined if that is a library or TypeScript itself. */
function fileOf(symbol: Declared): string | undefined {
  const path = symbol.declarations[0]?.path
  // On a file system that ignores case the compiler writes paths in lower case.
  const folder = join(ROOT, 'src/')
  return path?.toLowerCase().startsWith(folder.toLowerCase())
    ? path.slice(folder.length)
    : undefined
}
