import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { failedScreens } from './scripts/failed-screen.mjs'
import { leanContracts } from './scripts/lean-contracts.mjs'
import { fileNames, screenGroups } from './scripts/screen-groups.mjs'
import { splitWords } from './scripts/split-words.mjs'

export default defineConfig({
  plugins: [reactRouter(), leanContracts(), splitWords(), failedScreens()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            chunkFileNames: fileNames,
            // What every page needs is one file for the libraries and one for the site: less to ask for, to name in each page and to fetch again after a release.
            codeSplitting: {
              groups: [
                { name: 'react', test: /\/node_modules\/(react|react-dom|react-router|scheduler|cookie)\// },
                { name: 'rules', test: /\/src\/shared\/(((account|demand|equipment|message)\/)?rules|lifecycle|main-param)\.ts$/ },
                { name: 'fields', test: /\/node_modules\/zod\/|\/src\/shared\/(fields|equipment\/name-parts)\.ts$/ },
                { name: (id) => `${/(\w+)\/input\.ts$/.exec(id)?.[1] ?? ''}-input`, test: /\/src\/shared\/\w+\/input\.ts$/ },
                {
                  name: 'site',
                  test: /\/src\/web\/(app\/(shell|refetch|visit)|demand\/demand-card|equipment\/(machine-card|compare-basket)|company\/lessor-card|app\/(not-found|route-problem))\.tsx?$|\/src\/shared\/(account|article|category|company|demand|equipment|favourite|message|search|statistics)\/contract\.ts$/,
                },
                ...screenGroups(),
                // Last, because a group takes what its modules import as well.
                { name: (id) => `${/\/(zh-cn|en)[./]/.exec(id)?.[1] ?? ''}-private`, test: /\/src\/shared\/text\/.*\?private$/ },
              ],
            },
          },
        },
      },
    },
  },
})
