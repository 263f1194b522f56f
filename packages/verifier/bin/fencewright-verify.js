#!/usr/bin/env node
import '../dist/fencewright-verify.js';
