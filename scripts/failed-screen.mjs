const reload = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\s*\}\);/
const splitLoader = /await import\(([^()]*route\.clientLoaderModule\s*)\)/g

/**
 * React Router answers a screen whose script cannot be fetched by reloading the document. Without a network this ends on the browser's own error
 * page. A rejection would not do instead: navigation drops the result of a route whose module is rejected, and shows nothing. So the failed module
 * is one that throws when it is used, which leads to the nearest error boundary (src/web/app/route-problem.tsx).
 */
export function failedScreens() {
  return {
    name: 'failed-screens',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/react-router/')) return undefined
      if (code.includes('Error loading route module'))
        return replaced(code, reload, 'return { default() { throw error; }, clientLoader() { throw error; } };')
      if (code.includes('No `clientLoader` export found'))
        return replaced(code, splitLoader, 'await import($1).catch((error) => ({ clientLoader() { throw error; } }))')
      return undefined
    },
  }
}

function replaced(code, pattern, by) {
  const changed = code.replace(pattern, by)
  if (changed === code) throw new Error('React Router loads the modules of its routes in another way')
  return { code: changed, map: null }
}
