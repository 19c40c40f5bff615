const reload = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\s*\}\);/

/**
 * React Router answers a screen whose script cannot be fetched by reloading the document. Without a network this ends on the browser's own error
 * page, so the failure goes to the nearest error boundary instead (src/web/app/route-problem.tsx).
 */
export function failedScreens() {
  return {
    name: 'failed-screens',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/react-router/') || !code.includes('Error loading route module')) return undefined
      if (!reload.test(code)) throw new Error('React Router loads the modules of its routes in another way')
      return { code: code.replace(reload, 'throw error;'), map: null }
    },
  }
}
