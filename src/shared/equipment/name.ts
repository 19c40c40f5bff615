/** The parts of a machine's name, from which it is shown in both languages. */
export type MachineNameParts = Record<'name' | 'brand' | 'brandEn' | 'model' | 'categoryNameEn', string>
type Called = Pick<MachineNameParts, 'name' | 'brand' | 'model'>

/**
 * The name of a machine with another brand and model, where it begins with those that the machine has, as a name that is made by the form or an import
 * does; any other name stays as it was entered.
 */
export function renamed({ name, brand, model }: Called, to: Pick<Called, 'brand' | 'model'>): string {
  const start = `${brand} ${model} `
  return `${name} `.startsWith(start) ? `${to.brand} ${to.model} ${name.slice(start.length)}`.slice(0, 60).trim() : name
}

/**
 * The English name of a machine. A name that begins with brand and model, as the form makes it, is made anew from their English names and
 * the category; any other name stays as it was entered.
 */
export function machineNameEn({ name, brand, brandEn, model, categoryNameEn }: MachineNameParts): string {
  return brand && model && `${name} `.startsWith(`${brand} ${model} `) ? `${brandEn} ${model} ${categoryNameEn}` : name
}
