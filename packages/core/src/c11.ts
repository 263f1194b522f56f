// Reports on programs against C11, loaded on demand.
export { c11Report } from '@fencewright/reports/text/c11.js';
export { c11ToJson } from '@fencewright/reports/json/c11-json.js';
export { ordersReport } from '@fencewright/reports/text/orders.js';
export { ordersToJson } from '@fencewright/reports/json/orders-json.js';
export { ordersFindings, type OrdersFindings } from '@fencewright/reports/words/orders-findings.js';
